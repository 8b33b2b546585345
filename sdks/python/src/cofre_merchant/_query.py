"""Filters of lists, as the API reads them, and lists page after page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from ._arguments import require, require_amount, require_known
from .event import EventPage, EventQuery
from .payment import PaymentPage, RefundPage
from .payment_query import PaymentQuery, PaymentSearch, RefundQuery
from .request import names_of, wire_of
from .saved_card import SavedCardPage, SavedCardSearch

Query = TypeVar("Query", EventQuery, PaymentQuery, PaymentSearch, RefundQuery, SavedCardSearch)
Page = TypeVar("Page", EventPage, PaymentPage, RefundPage, SavedCardPage)


def target_of(path: str, parameters: Mapping[str, Any]) -> str:
    text = query_text(parameters)
    return path + (text and f"?{text}")


def filters_of(name: str, query: Any, kind: type[Any]) -> dict[str, Any]:
    """With a misspelt filter, a list would have everything."""
    article = "an" if kind.__name__.startswith("E") else "a"
    require(name, query, f"{article} {kind.__name__}", kind, Mapping)
    filters: dict[str, Any] = wire_of(query)
    require_known(name, names_of(kind), filters)
    if "amount" in filters:
        require_amount(f'{name}["amount"]', filters["amount"])
    return filters


def pages_of(query: Query, list_page: Callable[[Query], Page]) -> Iterator[Page]:
    """An empty page may lead on: the end is a cursor that is None."""
    page = list_page(query)
    yield page
    while page.next_cursor is not None:
        page = list_page(replace(query, cursor=page.next_cursor))
        yield page


def query_text(parameters: Mapping[str, Any]) -> str:
    texts = {name: text_of(value) for name, value in parameters.items()}
    return urlencode(texts, quote_via=quote, safe="")


def text_of(value: Any) -> str:
    if isinstance(value, Decimal):
        return f"{value:f}"
    if not isinstance(value, datetime):
        return str(value)
    if value.tzinfo is None:
        raise ValueError("a date must have a time zone: datetime.now(timezone.utc)")
    return value.isoformat(timespec="milliseconds")
