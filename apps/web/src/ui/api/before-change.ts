/** Earlier changes that a request has to wait for: a pipeline move that was made and not sent yet. */
type Earlier = (path: string) => Promise<unknown> | undefined

let earlierOf: Earlier = () => undefined

export function setEarlierChanges(earlier: Earlier): void {
  earlierOf = earlier
}

/** Resolves when the changes that come before one at this path were answered. */
export const earlierChanges: Earlier = (path) => earlierOf(path)
