"""What is implausible in a components file is named with its key, its value and what would be
plausible.
"""

from __future__ import annotations

import pytest

from sim.assets import asset, names
from sim.plausible import examine

SHIPPED = asset("components", "estimate-2018.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", names("components"))
def test_shipped_boxes_are_plausible(name):
    assert examine(name) == ()


@pytest.mark.parametrize(
    ("old", "put", "told"),
    [
        (
            "diameter = 20.0",
            "diameter = 2000.0",
            ["disc.diameter = 2000 mm: 15 to 30 mm is plausible"],
        ),
        ("height = 10.0", "height = 0", ["disc.height = 0 mm: 5 to 20 mm is plausible"]),
        ("length = 110.0", "length = -110", ["road.length = -110 mm: 80 to 160 mm is plausible"]),
        (
            "length = 110.0",
            'length = "abc"',
            ["road.length = 'abc': is no number; 80 to 160 mm is plausible"],
        ),
        (
            "length = 110.0",
            "lenght = 110.0",
            ["road.lenght is no key", "road.length is missing; 80 to 160 mm is plausible"],
        ),
        (
            "density = 600.0",
            "density = 7800",
            ["road.density = 7800 kg/m3: 300 to 1500 kg/m3 is plausible"],
        ),
        ("density = 600.0", "weight = 20", ["road.weight = 20 g: 0.594 to 2.97 g is plausible"]),
        ("density = 600.0", "", ["road.weight is missing"]),
        ("wood = 0.35", "wood = 1.6", ["friction.wood = 1.6: 0.1 to 1.5 is plausible"]),
        (
            "wood = 0.35",
            "wood = 0.35\ncar-road = 3",
            ["friction.car-road = 3: 0.1 to 1.5 is plausible"],
        ),
        (
            "width = 9.0",
            "width = 12.0",
            ["road.width = 12.0: 10 mm is the most beside the other sizes: two road ends"],
        ),
        (
            "[35.0, 35.0, 90.0]",
            "[35.0, 35.0, 900.0]",
            ["building.tower.size = 900 mm: 10 to 200 mm is plausible"],
        ),
        ("grey = 30", "grey = 300", ["supplies.2.grey = 300: 1 to 60 is plausible"]),
        ('name = "estimate-2018"', "", ["name is missing"]),
    ],
)
def test_each_finding_names_key_value_and_range(old, put, told, tmp_path):
    path = tmp_path / "box.toml"
    assert old in SHIPPED
    path.write_text(SHIPPED.replace(old, put, 1), encoding="utf-8")
    found = [str(one) for one in examine(str(path))]
    assert len(found) == len(told)
    assert all(part in line for line, part in zip(found, told, strict=True))


def test_the_doctor_says_what_is_implausible_and_ends_with_1(tmp_path, capsys):
    from shutoko.cli import main

    path = tmp_path / "box.toml"
    path.write_text(SHIPPED.replace("diameter = 20.0", "diameter = 2000", 1), encoding="utf-8")
    assert main(["doctor", "--components", str(path)]) == 1
    assert "disc.diameter = 2000 mm: 15 to 30 mm is plausible" in capsys.readouterr().out
    assert main(["doctor", "--components", "estimate-2018"]) == 0
    assert "everything is plausible" in capsys.readouterr().out
    assert main(["doctor", "--components", str(tmp_path / "none.toml")]) == 2
