"""BLOX once more, slow and plain, to check the rules of the package against.

It shares no code with them. A game is a dict of letters: towers are strings of blocks, bottom-up.
Every action is found by trying all fields and all choices of cards. The draw pile must not run out.
"""

from itertools import combinations

ROWS = COLUMNS = range(9)
FIELDS = [(row, column) for row in ROWS for column in COLUMNS]
ORDER = "wgpb"


def plain(state):
    """A state of the package as a dict of letters."""
    position = state.position
    return {
        "colors": {field: position.board.color(field)[0] for field in FIELDS},
        "towers": {
            field: "".join(block[0] for block in tower.blocks)
            for field, tower in position.towers.items()
        },
        "pawns": {field: str(color) for field, color in position.pawns.items()},
        "players": [
            {
                "color": str(player.color),
                "hand": letters(player.hand),
                "joker": player.has_joker,
                "blocks": letters(player.blocks),
                "points": player.points,
            }
            for player in state.players
        ],
        "turn": state.turn,
        "phase": state.phase,
        "draw": "".join(card[0] for card in state.draw_pile),
        "discard": letters(state.discard_pile),
    }


def letters(colors):
    return in_order(color[0] for color in colors)


def in_order(colors):
    return "".join(sorted(colors, key=ORDER.index))


def key(game):
    """The game as something that a set can hold."""
    return (
        tuple(sorted(game["towers"].items())),
        tuple(sorted(game["pawns"].items())),
        tuple(tuple(player.values()) for player in game["players"]),
        game["turn"],
        game["phase"],
        game["draw"],
        game["discard"],
    )


def is_over(game):
    fours = [tower for tower in game["towers"].values() if len(tower) == 4]
    return game["phase"] == 4 and len(fours) <= 1 and game["turn"] == 0


def next_games(game):
    """All games after one action, each once."""
    if is_over(game):
        return []
    found = {}
    for after in actions(game):
        found[key(after)] = after
    return list(found.values())


def count(game, actions_left):
    """How many different games there can be after so many actions."""
    games = {key(game): game}
    for _ in range(actions_left):
        games = {key(after): after for each in games.values() for after in next_games(each)}
    return len(games)


def actions(game):
    me = game["players"][game["turn"]]
    mine = [field for field, color in game["pawns"].items() if color == me["color"]]
    choices = card_choices(me)

    if len(mine) < 4:
        for target in FIELDS:
            if is_free(game, target) and can_enter(game, target):
                for cards in choices:
                    if pays(cards, game["colors"][target]):
                        after = paid(game, cards)
                        after["pawns"][target] = me["color"]
                        yield finished(after)

    for start in mine:
        for target in FIELDS:
            between = fields_between(start, target)
            if between is None or not all(is_free(game, field) for field in between):
                continue
            passed = [game["colors"][field] for field in between]
            color = game["colors"][target]
            if is_free(game, target):
                if color not in passed:
                    for cards in choices:
                        if pays(cards, color):
                            yield finished(walked(paid(game, cards), start, target))
            elif target in game["towers"]:
                tower = game["towers"][target]
                allowed = len(tower) <= game["phase"] and len(me["blocks"]) < 7
                if allowed and not any(block in passed for block in tower):
                    for cards in choices:
                        if pays(cards, tower):
                            after = walked(paid(game, cards), start, target)
                            del after["towers"][target]
                            player = after["players"][game["turn"]]
                            player["blocks"] = in_order(player["blocks"] + tower)
                            if len(tower) < 5:
                                player["points"] += len(tower)
                            yield finished(after)
            elif game["pawns"][target] != me["color"] and color not in passed:
                for cards in choices:
                    if len(cards) >= 3 and pays(cards, color * len(cards)):
                        after = walked(paid(game, cards), start, target)
                        after["players"][game["turn"]]["points"] += len(cards)
                        yield finished(after)

    for field in mine:
        for blocks in {in_order(pile) for pile in combinations(me["blocks"], game["phase"] + 1)}:
            if leaves_a_side_open(game, field):
                for cards in choices:
                    if pays(cards, blocks):
                        after = paid(game, cards)
                        del after["pawns"][field]
                        after["towers"][field] = blocks
                        player = after["players"][game["turn"]]
                        for block in blocks:
                            player["blocks"] = player["blocks"].replace(block, "", 1)
                        player["points"] += len(blocks)
                        yield finished(after)

    for cards in choices:
        if cards and "j" not in cards:
            after = paid(game, cards)
            after["players"][game["turn"]]["joker"] = True
            yield finished(after)


def card_choices(player):
    """All that can be played from a hand, j being the joker."""
    cards = player["hand"] + ("j" if player["joker"] else "")
    return {
        "".join(choice) for size in range(len(cards) + 1) for choice in combinations(cards, size)
    }


def pays(cards, needed):
    """Whether the cards are those needed, the joker being whatever colour fits."""
    if "j" in cards:
        return any(pays(cards.replace("j", color), needed) for color in ORDER)
    return in_order(cards) == in_order(needed)


def is_free(game, field):
    return field not in game["towers"] and field not in game["pawns"]


def can_enter(game, target):
    row, column = target
    ways = [
        [(row, c) for c in COLUMNS if c < column],
        [(row, c) for c in COLUMNS if c > column],
        [(r, column) for r in ROWS if r < row],
        [(r, column) for r in ROWS if r > row],
    ]
    return any(
        all(is_free(game, f) and game["colors"][f] != game["colors"][target] for f in way)
        for way in ways
    )


def fields_between(start, target):
    """The fields between two of one row or column; None where they are not, or are the same."""
    (row, column), (other_row, other_column) = start, target
    if start == target or (row != other_row and column != other_column):
        return None
    low, high = sorted([start, target])
    return [
        (r, c)
        for r, c in FIELDS
        if low[0] <= r <= high[0] and low[1] <= c <= high[1] and (r, c) not in (start, target)
    ]


def leaves_a_side_open(game, built):
    """Whether each tower beside has a side without a tower, once one stands on ``built``."""
    towers = {*game["towers"], built}
    return all(
        any(side not in towers for side in sides(tower))
        for tower in sides(built)
        if tower in game["towers"]
    )


def sides(field):
    row, column = field
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [side for side in around if side in FIELDS]


def copied(game):
    return {
        **game,
        "towers": dict(game["towers"]),
        "pawns": dict(game["pawns"]),
        "players": [dict(player) for player in game["players"]],
    }


def paid(game, cards):
    """A copy of the game in which the cards are played and the hand is full again."""
    after = copied(game)
    player = after["players"][game["turn"]]
    for card in cards:
        if card == "j":
            player["joker"] = False
        else:
            player["hand"] = player["hand"].replace(card, "", 1)
            after["discard"] = in_order(after["discard"] + card)
    while len(player["hand"]) < 5:
        assert after["draw"], "the draw pile has run out"
        player["hand"] = in_order(player["hand"] + after["draw"][0])
        after["draw"] = after["draw"][1:]
    return after


def walked(game, start, target):
    game["pawns"][target] = game["pawns"].pop(start)
    return game


def finished(game):
    """The turn passed on, and the next phase begun where it is due."""
    heights = [len(tower) for tower in game["towers"].values()]
    while game["phase"] < 4 and heights.count(game["phase"]) <= 1:
        game["phase"] += 1
    game["turn"] = (game["turn"] + 1) % len(game["players"])
    return game
