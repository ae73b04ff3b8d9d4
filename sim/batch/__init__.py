"""Many tables of Tokyo Highway at once, over arrays: see `sim.batch.batch.Batch`."""
