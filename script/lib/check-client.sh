#!/usr/bin/env bash
# Fails if the committed API client differs from the one generated from the current API. The new client replaces the committed file.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
client=packages/api-client
document=apps/api/src/http/openapi.json
mkdir -p $client/src/generated && touch $document
cp -r $document $client/src/generated "$before"

node $client/generate.ts

if ! diff -q "$before/openapi.json" $document || ! diff -rq "$before/generated" $client/src/generated; then
  die "The API client was out of date. It has been regenerated: review packages/api-client and $document, and commit both."
fi
