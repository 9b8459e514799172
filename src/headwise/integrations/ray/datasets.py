"""Ray Data: a dataset with a column of texts becomes one with a row for each word."""

import pickle
from typing import Any

import ray

from headwise.errors import SourceLocation
from headwise.inference.answers import ParseOptions
from headwise.integrations.frames import arrow_table, columns_of, in_documents
from headwise.integrations.parquet import check_columns
from headwise.integrations.textcolumns import DEFAULT_ID
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.pipeline import Pipeline
from headwise.processes.garbage import collect_rarely

ROWS_AT_A_TIME = 256


def parse_dataset(
    dataset: Any,
    column: str = "text",
    id_column: str | None = None,
    *,
    model: str | None = None,
    options: ParseOptions | None = None,
    workers: Any = 1,
    batch_size: int = ROWS_AT_A_TIME,
) -> Any:
    """The words of a dataset's texts: the columns of `headwise.to_arrow`.

    column, id_column: where the texts and the ids of documents are; the latter is `id` unless
        named, and where there is none, `document` is null. Rows whose text is null have no words.
    workers: how many processes parse, each with a model of its own: a number, or (least, most).
    """
    packed = ray.put(pickle.dumps(as_pipeline(model)))
    return dataset.map_batches(
        WordRows,
        fn_constructor_args=([packed], column, id_column, options),
        batch_format="pyarrow",
        batch_size=batch_size,
        concurrency=workers,
        num_cpus=1,
    )


class WordRows:
    """Parses batches of rows; Ray makes one in each worker."""

    def __init__(
        self,
        packed: list[Any],
        column: str,
        id_column: str | None,
        options: ParseOptions | None,
    ) -> None:
        """Load the model."""
        self.pipeline: Pipeline = pickle.loads(ray.get(packed[0]))
        collect_rarely()
        self.column, self.id_column, self.options = column, id_column, options

    def __call__(self, batch: Any) -> Any:
        """The words of a batch of rows."""
        return parsed_rows(self.pipeline, batch, self.column, self.id_column, self.options)


def parsed_rows(
    pipeline: Pipeline,
    batch: Any,
    column: str,
    id_column: str | None,
    options: ParseOptions | None,
) -> Any:
    """A table of the words of the texts in a table."""
    if id_column is None and DEFAULT_ID in batch.schema.names:
        id_column = DEFAULT_ID
    check_columns(batch.schema, column, id_column, SourceLocation("the dataset"))
    texts = batch.column(column).to_pylist()
    ids = batch.column(id_column).to_pylist() if id_column else [None] * len(texts)
    pairs = [(text, name) for text, name in zip(texts, ids, strict=True) if text is not None]
    found = pipeline.pipe(pairs, options, as_tuples=True)
    rows = (
        row
        for document, name in found
        for row in in_documents(document.sentences, None if name is None else str(name))
    )
    return arrow_table(columns_of(rows))
