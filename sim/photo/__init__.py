"""A table from one photograph: marks on its roads become a table that the referee judges, with how
sure that is.

    reading = read_photo(read_marks("table.json"))
    print(reading.to_json()["roads"])

A road is a stick of known length whose ends lie at known heights, counted in discs. So the roads
themselves are the gauges that say where the camera stood.
"""
