/** Choice of the adapter of a source: a loaded one, or another one by its id and version. */
import type { SourceAdapter } from '@prospect/api-client'

export type AdapterChoice = { adapter: string; adapterId: string; adapterVersion: string }

/** Value of the select for an adapter that is not loaded. Ids have no dots, so it is no id. */
export const OTHER = '.other'

const nameOf = ({ id, version }: { id: string; version: string }) => `${id} ${version}`

export const adapterOptions = (adapters: readonly SourceAdapter[]) => [
  ...adapters.map((adapter) => ({ value: nameOf(adapter), label: nameOf(adapter) })),
  { value: OTHER, label: 'Another connector, which is not installed yet' },
]

export function chosenAdapter({ adapter, adapterId, adapterVersion }: AdapterChoice): { id: string; version: string } {
  if (adapter === OTHER) return { id: adapterId.trim(), version: adapterVersion.trim() }
  const [id = '', version = ''] = adapter.split(' ')
  return { id, version }
}

export function findAdapter(
  adapters: readonly SourceAdapter[],
  wanted: { id: string; version: string } | null,
): SourceAdapter | undefined {
  return wanted === null ? undefined : adapters.find((adapter) => nameOf(adapter) === nameOf(wanted))
}

/** Errors that are found without the server. */
export function adapterProblems({ adapter, adapterId, adapterVersion }: AdapterChoice): Record<string, string> {
  if (adapter === '') return { adapter: 'Choose a connector.' }
  if (adapter !== OTHER) return {}
  return {
    ...(adapterId.trim() === '' && { adapterId: 'Enter the id of the connector.' }),
    ...(adapterVersion.trim() === '' && { adapterVersion: 'Enter the version of the connector.' }),
  }
}
