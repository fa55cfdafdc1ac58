/** The items in order, in slices of `size`. */
export function* slicesOf<Item>(items: readonly Item[], most: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most)
}
