export type ManifestEntry = { file: string; imports: string[] }
export type Manifest = Map<string, ManifestEntry>

/** Modules that a browser loads immediately to show the prospects. apps/web/browser/first-load.spec.ts compares the list with a real browser. */
export const firstLoadEntries = ['index.html', 'src/app/prospects/prospects-desk.tsx']

/** Parses Vite's manifest: the output file of each module, and its static imports. */
export function readManifest(text: string): Manifest {
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null) throw new Error('manifest.json is not an object')
  return new Map(Object.entries(parsed).map(([name, entry]) => [name, readEntry(name, entry)]))
}

function readEntry(name: string, entry: unknown): ManifestEntry {
  if (typeof entry !== 'object' || entry === null || !('file' in entry) || typeof entry.file !== 'string') {
    throw new Error(`manifest.json: ${name} names no file`)
  }
  const imports = 'imports' in entry && Array.isArray(entry.imports) ? entry.imports.map(String) : []
  return { file: entry.file, imports }
}

/** JavaScript files that these entries need, each once. A missing entry is an error, because a budget that measures nothing would always pass. */
export function firstLoadFiles(manifest: Manifest, entries: string[]): string[] {
  const seen = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    const entry = manifest.get(name)
    if (entry === undefined) throw new Error(`manifest.json does not know ${name}`)
    entry.imports.forEach(visit)
  }
  entries.forEach(visit)
  const files = [...seen].flatMap((name) => manifest.get(name)?.file ?? [])
  return [...new Set(files)].filter((file) => file.endsWith('.js'))
}
