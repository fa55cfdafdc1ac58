/** What JSON can hold, and so what a column of text keeps and gives back as it was. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [property: string]: JsonValue }
export type JsonObject = { [property: string]: JsonValue }
