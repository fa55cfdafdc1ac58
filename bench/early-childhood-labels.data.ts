import type { LabelledRecord } from './matching-data.ts'

/*
 * Corrections of wrong labels in early_childhood.csv, by id. Its clusters were built from house number and postal code. A record without a code
 * therefore has its own cluster beside that of its site, and two sites with the same number and code share a cluster.
 */

/** Lines of clusters that are one site: they have the same number and street, and the same phone or name. */
const oneSite = `
  316 31660624, 1001 100160608 100181559, 1414 141460620, 6657 665760637, 10317 1031760643, 71464 714660636, 2560609 25460609,
  3460628 34160628, 6960621 94560621, 53560616 53560653, 180060622 180060647, 366360609 366360653, 385860653 385860654,
  454660629 454660632, 525160637 525160639, 761060626 763860626`

/** Lines of clusters that are one site: they have the same name and phone, and house numbers that differ by a unit or a digit. */
const oneSiteMistyped = `
  1124 113460640, 1816 182460609, 7050 705960629, 171060608 171860608, 434060638 464060638, 741160619 741960619, 921460619 9208960619,
  4217 421660623`

/** Records in another street than their cluster. `>` is followed by the cluster of their site, if there is one. */
const otherStreet = `
  75, 548 549, 864, 918, 1268 1270 1274, 1474 1477, 1514 > 243460629, 1785, 1790 > 303060612, 1913 > 340160647, 2087, 2098,
  2099 > 382660629, 2321 2323, 2332 2334, 2391 > 4747, 2507 2509 2511 2513, 2722`

const parts = (list: string) => list.split(',').map((part) => part.trim().split(/\s+/))

const siteOf = new Map(
  parts(`${oneSite},${oneSiteMistyped}`).flatMap(([first = '', ...others]) => others.map((other) => [other, first])),
)
const clusterOf = new Map(
  parts(otherStreet).flatMap((ids) => {
    const to = ids.indexOf('>')
    const cluster = to < 0 ? `site of ${ids[0]}` : (ids[to + 1] ?? '')
    return ids.slice(0, to < 0 ? ids.length : to).map((id) => [id, cluster] as const)
  }),
)

/** Returns the same rows with the correct labels. */
export function withRightLabels(rows: readonly LabelledRecord[]): LabelledRecord[] {
  return rows.map((row) => {
    const cluster = clusterOf.get(String(Number(row.id))) ?? row.cluster
    return { ...row, cluster: siteOf.get(cluster) ?? cluster }
  })
}
