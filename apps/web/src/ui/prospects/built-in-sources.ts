/** The built-in entries of the source registry: the same identifiers in every tenant (`docs/sources.md`). */
export const MANUAL_SOURCE_ID = '00000000-0000-7000-8000-000000000001'
export const CSV_SOURCE_ID = '00000000-0000-7000-8000-000000000002'
