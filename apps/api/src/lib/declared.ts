/*
 * Closed vocabularies that rooms declare in their `<room>.facts.ts`. `rooms/facts.ts` fills these interfaces by declaration merging, so
 * that lib, store and http can name the types without importing a room.
 */

// biome-ignore-start lint/suspicious/noEmptyInterface: filled by rooms/facts.ts
export interface DeclaredPermissions {}
export interface DeclaredActions {}
export interface DeclaredSystemActors {}
export interface DeclaredErrors {}
// biome-ignore-end lint/suspicious/noEmptyInterface: filled by rooms/facts.ts

/** `<room>.<verb>`: granted by roles, required by routes and by `change()`. */
export type Permission = keyof DeclaredPermissions
/**
 * `<noun>.<verb>`: the action of an audit event. The action of a stored event is a plain string, because an earlier release may have
 * written it.
 */
export type AuditAction = keyof DeclaredActions
/** A part of the system that changes records without a person. */
export type SystemActorName = keyof DeclaredSystemActors
/** Error codes of rooms; `ErrorCode` adds those of http, store and lib. */
export type RoomErrorCode = keyof DeclaredErrors
