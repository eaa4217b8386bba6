"""Parts of a Grafana dashboard (schema 41, Grafana 11), as plain values; each function's words are those of Grafana."""

DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
STATES = {"Unknown": "#8e8e8e", "Healthy": "green", "Suspect": "yellow", "Degraded": "orange", "Down": "red"}
WIDTH = 24


def query(expression, legend="", instant=False, form="time_series"):
    """One PromQL query; `form` is time_series, table or heatmap. Its refId comes with its panel."""
    return {"datasource": DATASOURCE, "expr": expression, "legendFormat": legend or "__auto", "format": form,
            "editorMode": "code", "range": not instant, "instant": instant}


def _panel(kind, title, description, queries, *, w, h, unit, options, mappings=(), steps=None, custom=None,
           overrides=(), transformations=(), color="palette-classic", low=None, high=None):
    defaults = {"color": {"mode": color}, "mappings": list(mappings),
                "thresholds": {"mode": "absolute", "steps": steps or [{"color": "green", "value": None}]}}
    defaults |= {key: value for key, value in (("unit", unit), ("custom", custom), ("min", low), ("max", high))
                 if value is not None}
    for number, target in enumerate(queries):
        target["refId"] = chr(ord("A") + number)
    return {"type": kind, "title": title, "description": description, "datasource": DATASOURCE,
            "gridPos": {"w": w, "h": h, "x": 0, "y": 0}, "targets": queries, "options": options,
            "fieldConfig": {"defaults": defaults, "overrides": list(overrides)},
            "transformations": list(transformations)}


def timeseries(title, description, queries, unit=None, w=12, h=8, stack=False, bars=False, dashed=None, low=0, high=None,
               log=False):
    """`dashed`: a regular expression of legends that are drawn as a dashed line, such as a limit."""
    custom = {"drawStyle": "bars" if bars else "line", "lineWidth": 1, "fillOpacity": 60 if bars or stack else 5,
              "showPoints": "never", "spanNulls": False,
              "stacking": {"mode": "normal" if stack else "none", "group": "A"},
              "scaleDistribution": {"type": "log", "log": 10} if log else {"type": "linear"}}
    overrides = []
    if dashed:
        overrides.append({"matcher": {"id": "byRegexp", "options": dashed},
                          "properties": [{"id": "custom.lineStyle", "value": {"fill": "dash", "dash": [8, 8]}},
                                         {"id": "custom.fillOpacity", "value": 0}]})
    options = {"legend": {"displayMode": "table", "placement": "right", "showLegend": True, "calcs": ["lastNotNull", "max"]},
               "tooltip": {"mode": "multi", "sort": "desc"}}
    return _panel("timeseries", title, description, queries, w=w, h=h, unit=unit, options=options, custom=custom,
                  overrides=overrides, low=None if log else low, high=high)


def stat(title, description, queries, unit=None, w=6, h=4, colors=None, steps=None, mappings=()):
    """`colors`: {legend: colour}."""
    overrides = [{"matcher": {"id": "byName", "options": name},
                  "properties": [{"id": "color", "value": {"mode": "fixed", "fixedColor": color}}]}
                 for name, color in (colors or {}).items()]
    options = {"colorMode": "background" if steps or colors else "value", "graphMode": "none", "justifyMode": "auto",
               "orientation": "auto", "textMode": "auto", "wideLayout": True, "showPercentChange": False,
               "percentChangeColorMode": "standard",
               "reduceOptions": {"values": False, "calcs": ["lastNotNull"], "fields": ""}}
    return _panel("stat", title, description, queries, w=w, h=h, unit=unit, options=options, overrides=overrides,
                  mappings=mappings, steps=steps, color="thresholds")


def table(title, description, queries, columns, w=12, h=8, unit=None, mappings=(), steps=None):
    """One row a series; `columns`: {label or "Value": heading}, in this order. Queries are merged by their labels."""
    for target in queries:
        target |= {"format": "table", "instant": True, "range": False}
    hidden = ["Time", "Value", "__name__", "job", "container", "endpoint", "namespace", "pod", "service", "prometheus", "instance"]
    transformations = [{"id": "merge", "options": {}}] if len(queries) > 1 else []
    transformations.append({"id": "organize", "options": {
        "excludeByName": {name: True for name in hidden if name not in columns},
        "indexByName": {name: place for place, name in enumerate(columns)},
        "renameByName": dict(columns)}})
    return _panel("table", title, description, queries, w=w, h=h, unit=unit, mappings=mappings, steps=steps,
                  options={"showHeader": True, "cellHeight": "sm",
                           "footer": {"show": False, "reducer": ["sum"], "countRows": False}},
                  custom={"align": "auto", "inspect": False,
                          "cellOptions": {"type": "color-text" if mappings else "auto"}},
                  transformations=transformations, color="thresholds")


def matrix(title, description, expression, unit=None, w=8, h=6, mappings=(), steps=None):
    """Sites by sites: rows from, columns to. The expression has the labels src_site and dst_site."""
    target = query(expression, instant=True, form="table")
    return _panel("table", title, description, [target], w=w, h=h, unit=unit, mappings=mappings,
                  options={"showHeader": True, "cellHeight": "sm",
                           "footer": {"show": False, "reducer": ["sum"], "countRows": False}},
                  custom={"align": "center", "inspect": False, "cellOptions": {"type": "color-background", "mode": "basic"}},
                  steps=steps, color="thresholds",
                  transformations=[{"id": "groupingToMatrix", "options": {
                      "columnField": "dst_site", "rowField": "src_site", "valueField": "Value"}}])


def timeline(title, description, queries, mappings, w=24, h=8):
    """Bands of states over time; a value's text and colour come from the mappings."""
    return _panel("state-timeline", title, description, queries, w=w, h=h, unit=None, mappings=mappings,
                  options={"mergeValues": True, "showValue": "never", "alignValue": "left", "rowHeight": 0.8,
                           "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True, "calcs": []},
                           "tooltip": {"mode": "single", "sort": "none"}},
                  custom={"lineWidth": 0, "fillOpacity": 80}, color="thresholds")


def heatmap(title, description, expression, unit, w=12, h=8):
    """The expression gives buckets, with the label le alone."""
    return _panel("heatmap", title, description, [query(expression, "{{le}}", form="heatmap")], w=w, h=h, unit=None,
                  custom={"hideFrom": {"legend": False, "tooltip": False, "viz": False}},
                  options={"calculate": False, "cellGap": 1, "showValue": "never",
                           "color": {"mode": "scheme", "scheme": "Spectral", "steps": 64, "exponent": 0.5, "fill": "dark-orange",
                                     "reverse": True},
                           "cellValues": {}, "filterValues": {"le": 1e-9},
                           "rowsFrame": {"layout": "auto"}, "exemplars": {"color": "rgba(255,0,255,0.7)"},
                           "legend": {"show": True}, "tooltip": {"mode": "single", "yHistogram": False, "showColorScale": True},
                           "yAxis": {"axisPlacement": "left", "reverse": False, "unit": unit}})


def bars(title, description, queries, unit=None, w=12, h=8):
    return _panel("bargauge", title, description, queries, w=w, h=h, unit=unit, color="continuous-BlYlRd",
                  options={"displayMode": "basic", "orientation": "horizontal", "valueMode": "color", "showUnfilled": True,
                           "namePlacement": "auto", "sizing": "auto", "minVizWidth": 8, "minVizHeight": 16, "maxVizHeight": 300,
                           "legend": {"displayMode": "list", "placement": "bottom", "showLegend": False, "calcs": []},
                           "reduceOptions": {"values": False, "calcs": ["lastNotNull"], "fields": ""}}, low=0)


def row(title):
    return {"type": "row", "title": title, "collapsed": False, "panels": [], "gridPos": {"w": WIDTH, "h": 1, "x": 0, "y": 0}}


def value_mapping(words):
    """{number: (text, colour)} for panels whose numbers stand for words."""
    return [{"type": "value", "options": {str(number): {"text": text, "color": color, "index": index}
                                          for index, (number, (text, color)) in enumerate(words.items())}}]


def steps(first, **above):
    """Threshold colours: `first` below, then colour=limit from there on."""
    return [{"color": first, "value": None}, *({"color": color, "value": limit} for color, limit in above.items())]


def variable(name, label, values, multi=True):
    """A list to choose from that a `label_values(...)` query gives, with All."""
    return {"type": "query", "name": name, "label": label, "datasource": DATASOURCE,
            "query": {"query": values, "refId": name, "qryType": 1}, "refresh": 2, "sort": 1, "hide": 0, "regex": "",
            "multi": multi, "includeAll": True, "allValue": ".*", "skipUrlSync": False, "options": [],
            "current": {"selected": True, "text": ["All"], "value": ["$__all"]}}


def dashboard(uid, title, description, variables, panels):
    """Places the panels in rows of Grafana's 24 columns, in their order."""
    x = y = line = 0
    for number, panel in enumerate(panels, 1):
        panel["id"] = number
        place = panel["gridPos"]
        if x + place["w"] > WIDTH:
            x, y, line = 0, y + line, 0
        place["x"], place["y"] = x, y
        x, line = x + place["w"], max(line, place["h"])
    source = {"type": "datasource", "name": "datasource", "label": "Prometheus", "query": "prometheus", "refresh": 1,
              "hide": 0, "regex": "", "multi": False, "includeAll": False, "skipUrlSync": False, "options": [], "current": {}}
    alerts = {"name": "Alerts", "datasource": DATASOURCE, "enable": True, "hide": False, "iconColor": "red",
              "expr": 'ALERTS{alertname=~"Fairlead.*", alertstate="firing"}', "titleFormat": "{{alertname}}",
              "textFormat": "{{src_site}} {{dst_site}} {{instance}} {{reason}}", "step": "60s"}
    links = {"title": "Fairlead", "type": "dashboards", "tags": ["fairlead"], "asDropdown": False, "includeVars": True,
             "keepTime": True, "targetBlank": False, "icon": "external link", "tooltip": "", "url": ""}
    return {"uid": uid, "title": title, "description": description, "tags": ["fairlead"], "schemaVersion": 41, "version": 1,
            "editable": True, "graphTooltip": 1, "timezone": "browser", "refresh": "30s", "fiscalYearStartMonth": 0,
            "time": {"from": "now-6h", "to": "now"}, "timepicker": {}, "annotations": {"list": [alerts]}, "links": [links],
            "templating": {"list": [source, *variables]}, "panels": panels}
