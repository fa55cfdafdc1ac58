/** Ids of the built-in sources of the registry, the same in every tenant (`docs/sources.md`). */
export const MANUAL_SOURCE_ID = '00000000-0000-7000-8000-000000000001'
export const CSV_SOURCE_ID = '00000000-0000-7000-8000-000000000002'
