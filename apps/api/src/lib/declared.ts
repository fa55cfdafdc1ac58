/*
 * Types of the permissions, actions, subjects, system actors and error codes that rooms declare in their `<room>.facts.ts`. `rooms/facts.ts` fills these
 * interfaces by declaration merging, so that lib, store and http can use the types without importing a room.
 */

// biome-ignore-start lint/suspicious/noEmptyInterface: filled by rooms/facts.ts
export interface DeclaredPermissions {}
export interface DeclaredActions {}
export interface DeclaredSubjects {}
export interface DeclaredSystemActors {}
export interface DeclaredErrors {}
// biome-ignore-end lint/suspicious/noEmptyInterface: filled by rooms/facts.ts

/** Name of a permission, `<room>.<verb>`. Roles grant it; routes and `change()` require it. */
export type Permission = keyof DeclaredPermissions
/**
 * Action of an audit event, `<noun>.<verb>`. The action of a stored event is a plain string, because an earlier release may have written an action
 * that no longer exists.
 */
export type AuditAction = keyof DeclaredActions
/** Type of the record that an audit event is about. The type of a stored event is a plain string, as its action is. */
export type AuditSubject = keyof DeclaredSubjects
/** A part of the system that changes records without a person. */
export type SystemActorName = keyof DeclaredSystemActors
/** Error codes of rooms; `ErrorCode` adds those of http, store and lib. */
export type RoomErrorCode = keyof DeclaredErrors
