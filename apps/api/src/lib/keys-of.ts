/** Returns the own keys of an object with their types. The object must have no other keys than those of its type. */
export const keysOf = <T extends object>(object: T): (keyof T & string)[] => Object.keys(object) as (keyof T & string)[]
