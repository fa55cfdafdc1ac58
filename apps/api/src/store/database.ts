/**
 * All tables by name. Each room adds its own rows from its `<room>.table.ts` by declaration merging, so that the store knows no room and a
 * room's columns are declared in the room.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the rooms
export interface Database {}
