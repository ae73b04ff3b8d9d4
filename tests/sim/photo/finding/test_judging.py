"""How sure a road is: the signs, and that the weights which are fitted tell right from wrong."""

from __future__ import annotations

import numpy as np
import pytest

from sim.photo.finding.judging import SIGNS, sure
from tools import sureness


def test_the_weights_that_are_fitted_are_those_that_chance_was_thrown_by() -> None:
    rng = np.random.default_rng(3)
    signs = np.concatenate([np.ones((4000, 1)), rng.normal(2, [1, 3], (4000, 2))], axis=1)
    true = np.array([-1.0, 1.5, -0.5])
    likely = 1 / (1 + np.exp(-signs @ true))
    right = rng.random(4000) < likely
    np.testing.assert_allclose(sureness.fitted(signs, right), true, atol=0.2)
    folds = [signs[k::10] for k in range(10)]
    told = sureness.told(folds, [right[k::10] for k in range(10)])
    wanted = np.concatenate([likely[k::10] for k in range(10)])
    assert np.abs(told - wanted).mean() < 0.02


def test_a_sign_that_never_changes_gets_no_weight_and_does_no_harm() -> None:
    rng = np.random.default_rng(4)
    signs = np.stack([np.ones(300), rng.normal(0, 1, 300), np.full(300, 7.0)], axis=1)
    weight = sureness.fitted(signs, signs[:, 1] > 0)
    assert np.isfinite(weight).all()
    assert weight[1] > 1
    assert weight[2] == pytest.approx(0.0, abs=1e-6)


def test_the_shipped_weights_are_surer_of_what_is_seen_better() -> None:
    worse = np.zeros((1, len(SIGNS)))
    worse[0, 0] = 1.0
    better = worse.copy()
    for name, value in (("ends", 1.8), ("alone", 0.9), ("two ends", 1.0), ("voted", 1.0)):
        better[0, SIGNS.index(name)] = value
    better[0, SIGNS.index("score")] = 0.95
    assert sure(better)[0] > sure(worse)[0]


def test_photos_that_are_held_out_are_not_fitted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["sureness.py", "--first", "9990", "--count", "20"])
    with pytest.raises(SystemExit):
        sureness.main()
    assert "held out" in capsys.readouterr().err
