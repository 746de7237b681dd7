#!/usr/bin/env bash
# Starts the Firefox at $FIREFOX_BINARY, and announces its WebDriver BiDi port as a path of the proxy at $FIREFOX_LINE.
exec "$FIREFOX_BINARY" "$@" 2> >(exec sed -u "s#listening on ws://127.0.0.1:#listening on $FIREFOX_LINE/#" >&2)
