/** Yields the items in order, in slices of at most `most`. */
export function* slicesOf<Item>(items: readonly Item[], most: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most)
}
