"""A small file to correct, with everything that must survive: comments, MISC, other rows."""

from pathlib import Path

from headwise.corpus.conllu import read_conllu
from headwise.corpus.sentence import Sentence

OPEN = """\
# newdoc
# sent_id = s1
# text = A cat sat.
# free comment
1\tA\t_\t_\t_\t_\t_\t_\t_\tGloss=ein
2\tcat\t_\t_\t_\t_\t_\t_\t_\t_
3\tsat\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
4\t.\t_\t_\t_\t_\t_\t_\t_\t_

"""

DONE = """\
# sent_id = s2
# text = The dog can't eat.
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t2:det\t_
2\tdog\tdog\tNOUN\tNN\tNumber=Sing\t5\tnsubj\t5:nsubj\t_
2.1\tx\t_\t_\t_\t_\t_\t_\t2:dep\t_
3-4\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
3\tca\tcan\tAUX\tMD\t_\t5\taux\t5:aux\t_
4\tn't\tnot\tPART\tRB\t_\t5\tadvmod\t5:advmod\t_
5\teat\teat\tVERB\tVB\t_\t0\troot\t0:root\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t5\tpunct\t5:punct\t_

"""

LAST = """\
# sent_id = s3
# text = <b>&amp; "x"
1\t<b>&amp;\t_\t_\t_\t_\t_\t_\t_\t_
2\t"x"\t_\t_\t_\t_\t_\t_\t_\t_

"""

TEXT = OPEN + DONE + LAST


def written(folder: Path, text: str = TEXT) -> Path:
    """The file in a folder."""
    path = folder / "corpus.conllu"
    path.write_bytes(text.encode())
    return path


def sentences(folder: Path) -> list[Sentence]:
    """Its sentences."""
    return list(read_conllu(written(folder)))
