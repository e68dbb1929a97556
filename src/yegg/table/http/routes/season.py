"""Routes of the season: everybody's rating in a game."""

from collections.abc import Callable

from litestar import Response, get
from litestar.params import FromQuery
from markupsafe import Markup

from yegg import games
from yegg.table.http.requests import Who
from yegg.table.http.responses import page
from yegg.table.render import svg
from yegg.table.service.season import Ranked, Season, table


@get("/season")
async def season_page(
    who: Who, game: FromQuery[str] = "", of: FromQuery[str] = ""
) -> Response[bytes]:
    """A game's table in a season, by default the one that goes on."""
    who.count(who.limits.asking)
    known = [games.find(name) for name in games.names()]
    chosen = next((one for one in known if one.name == game), known[0])
    now = Season.at(who.store.hours.now())
    season = Season.read(of) if of else now
    rows = await who.store.aside(table, who.store, chosen.name, season, who.person)
    lowest = min((row.skill.low for row in rows), default=0)
    highest = max((row.skill.high for row in rows), default=1)

    def share(rating: float) -> float:
        return (rating - lowest) / (highest - lowest)

    return page(
        who,
        "season.html",
        games=known,
        chosen=chosen,
        season=season,
        goes_on=season == now,
        later=season.after if season < now else None,
        rows=rows,
        bar=lambda row: bar(row, share),
        course=course,
    )


def bar(row: Ranked, share: Callable[[float], float]) -> Markup:
    """A rating with its interval, between the lowest and the highest of the page."""
    return svg.bar(share(row.skill.rating), share(row.skill.low), share(row.skill.high))


def course(row: Ranked) -> str:
    """How a rating has gone, as a line."""
    ratings = row.skill.course
    least, most = min(ratings), max(ratings)
    width = max(most - least, 100)
    return svg.path([0.5 + (one - (least + most) / 2) / (1.1 * width) for one in ratings])
