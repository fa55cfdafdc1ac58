/** Returns a promise for delayed changes that must be sent before a change at `path`, such as a pipeline move that can still be undone. */
type Earlier = (path: string) => Promise<unknown> | undefined

let earlierOf: Earlier = () => undefined

export function setEarlierChanges(earlier: Earlier): void {
  earlierOf = earlier
}

/** Resolves when the delayed changes that must precede a change at this path have been answered. */
export const earlierChanges: Earlier = (path) => earlierOf(path)
