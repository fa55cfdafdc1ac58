#!/usr/bin/env bash
# Fails when the committed API client is not the one that the API as it stands would give. The new one is left in its place.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
client=packages/api-client
document=apps/api/src/http/openapi.json
mkdir -p $client/src/generated && touch $document
cp -r $document $client/src/generated "$before"

node $client/generate.ts

if ! diff -q "$before/openapi.json" $document || ! diff -rq "$before/generated" $client/src/generated; then
  die "The API has changed and its client had not. It has been generated anew: look at packages/api-client and $document, and commit both."
fi
