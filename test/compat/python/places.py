"""What models are asked for: small enough for any model to give it, where it is made to."""

from enum import Enum

from pydantic import BaseModel


class City(str, Enum):
    OSLO = "Oslo"
    ROME = "Rome"


class Place(BaseModel):
    """Where something is."""

    city: City
