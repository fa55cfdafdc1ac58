/** Any JSON value. A text column can store it and return it unchanged. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [property: string]: JsonValue }
export type JsonObject = { [property: string]: JsonValue }
