import { createHolding, getHoldingFile, type Holding } from '@prospect/api-client'
import { getHoldingOptions } from '@prospect/api-client/query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { transferringFile } from '../../ui/api/gated-fetch.ts'
import { saveFile } from '../../ui/api/save-file.ts'

/** What a collection is about: a prospect, or a contact value. */
export type HoldingAbout = { businessId: string } | { kind: 'email' | 'phone' | 'domain'; value: string }

export const holdingQuery = (holdingId: string) => getHoldingOptions({ path: { holdingId } })

export const collect = (body: HoldingAbout, key: string): Promise<Holding> =>
  dataOf(createHolding({ body, ...withKey(key) }))

/** Loads the file first, so that an error is shown in the app, then saves it through the browser. */
export async function downloadHolding({ id }: Holding, format: 'html' | 'json'): Promise<void> {
  const content = await dataOf(
    getHoldingFile({ path: { holdingId: id }, query: { format }, parseAs: 'blob', ...transferringFile }),
  )
  saveFile(`everything-held-${id}.${format}`, content)
}
