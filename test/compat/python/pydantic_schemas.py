"""What people write with pydantic 2, each with a keyword or a form of its own in the JSON schema."""

import datetime
import enum
import ipaddress
import uuid
from decimal import Decimal
from typing import Annotated, Literal, Optional, Union

from pydantic import AnyUrl, BaseModel, ConfigDict, Field, JsonValue, PositiveInt, RootModel, TypeAdapter, constr


class Colour(enum.Enum):
    RED = "red"
    GREEN = "green"


class Point(BaseModel):
    x: Annotated[int, Field(ge=-9, le=9)]
    y: Annotated[float, Field(gt=0, lt=1)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: constr(min_length=2, max_length=5)
    nick: Optional[constr(max_length=4)] = None


class Node(BaseModel):
    value: Annotated[int, Field(ge=0, le=9)]
    next: Optional["Node"] = None


class Tree(BaseModel):
    label: Literal["leaf", "branch"]
    children: Annotated[list["Tree"], Field(max_length=2)] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: Annotated[int, Field(ge=1, le=9)]


class Dog(BaseModel):
    kind: Literal["dog"]
    good: bool


class Pet(BaseModel):
    pet: Annotated[Union[Cat, Dog], Field(discriminator="kind")]


class Timestamps(BaseModel):
    day: datetime.date
    at: datetime.datetime
    clock: datetime.time


class Multiples(BaseModel):
    seven: Annotated[int, Field(multiple_of=7, ge=0, le=700)]
    half: Annotated[float, Field(multiple_of=0.5, ge=0, le=9)]


class Short(RootModel[list[Annotated[str, Field(max_length=3)]]]):
    root: Annotated[list[Annotated[str, Field(max_length=3)]], Field(min_length=1, max_length=3)]


TYPES = {
    "point": Point,
    "strict": Strict,
    "linked list": Node,
    "tree": Tree,
    "discriminated union": Pet,
    "timestamps": Timestamps,
    "multiples": Multiples,
    "root model": Short,
    "enum": Colour,
    "set of an enum": set[Colour],
    "set of whole numbers": Annotated[set[Annotated[int, Field(ge=0, le=99)]], Field(min_length=2, max_length=4)],
    "frozenset of literals": frozenset[Literal["a", "b", "c"]],
    "tuple": tuple[bool, Annotated[int, Field(ge=0, le=9)]],
    "pattern": constr(pattern=r"^[A-Z]{2}\d{4}$"),
    "pattern anywhere": constr(pattern=r"\d\d", max_length=8),
    "dict of short keys": dict[constr(max_length=4), bool],
    "dict of a pattern": dict[constr(pattern=r"^k[0-9]$"), Annotated[int, Field(ge=0, le=9)]],
    "dict of an enum": dict[Colour, bool],
    "uuid": uuid.UUID,
    "IPv4": ipaddress.IPv4Address,
    "IPv6": ipaddress.IPv6Address,
    "duration": datetime.timedelta,
    "decimal": Annotated[Decimal, Field(max_digits=4, decimal_places=2)],
    "positive": PositiveInt,
    "JSON": dict[Literal["value"], JsonValue],
    "union": Union[Annotated[int, Field(ge=0, le=9)], Literal["none"], None],
    "URL or nothing": Optional[AnyUrl],
}


def adapters() -> dict[str, TypeAdapter]:
    return {name: TypeAdapter(type_) for name, type_ in TYPES.items()}
