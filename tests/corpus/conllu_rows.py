"""Rows of CoNLL-U to make files of."""


def row(identifier: object, form: str = "w", head: object = 0, misc: str = "_") -> str:
    relation = "root" if head == 0 else "dep"
    return f"{identifier}\t{form}\t_\tX\t_\t_\t{head}\t{relation}\t_\t{misc}"


def extra(identifier: str, form: str = "_", misc: str = "_") -> str:
    return f"{identifier}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}"


TWO_WORDS = f"{row(1)}\n{row(2, 'v', 1)}\n\n"
