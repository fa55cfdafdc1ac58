/** Class names of Mantine in a text. Each component has its own, in its code and in its style sheet. */
const classesIn = (text: string): Set<string> => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g) ?? [])

type Built = { script: string; styles: string; sheets: Map<string, string> }

/** Compares the components in the build with the included style sheets. `missing` components have no styles; `unused` sheets have no component. */
export function checkLibraryStyles({ script, styles, sheets }: Built): { missing: string[]; unused: string[] } {
  const [used, present] = [classesIn(script), classesIn(styles)]
  const missing: string[] = []
  const unused: string[] = []
  for (const [sheet, text] of sheets) {
    const classes = [...classesIn(text)]
    const isUsed = classes.some((name) => used.has(name))
    const isPresent = classes.some((name) => present.has(name))
    if (isUsed && !isPresent) missing.push(sheet)
    if (isPresent && !isUsed) unused.push(sheet)
  }
  return { missing, unused }
}
