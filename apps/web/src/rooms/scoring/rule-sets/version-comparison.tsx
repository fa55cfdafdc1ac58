import type { ScoringVersion } from '@prospect/api-client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Select } from '../../../ui/fields/select.tsx'
import { NotLoaded } from '../../../ui/layout/not-loaded.tsx'
import { activeScoringQuery } from '../../../ui/prospects/active-scoring.ts'
import classes from '../scoring.module.css'
import { versionQuery, versionsQuery } from '../scoring.queries.ts'
import { ChangeTable } from './change-table.tsx'
import { contentChanges } from './content-diff.ts'
import { stateWords } from './version-words.ts'

/** Comparison of a version with another one, rule by rule. The default is the active version of its rule set, otherwise the previous version. */
export function VersionComparison({ version }: { version: ScoringVersion }) {
  const others = (useInfiniteQuery(versionsQuery(version.ruleSetId)).data?.items ?? []).filter(
    (one) => one.version !== version.version,
  )
  const active = useQuery(activeScoringQuery).data?.active ?? null
  const [chosen, setChosen] = useState<string | null>(null)
  const isOther = (number: number | null) => others.some((one) => one.version === number)
  const activeNumber = active !== null && active.ruleSet.id === version.ruleSetId ? active.version : null
  const proposed = [activeNumber, version.basedOn, version.version - 1].find(isOther) ?? null
  const number = chosen === null ? proposed : Number(chosen)
  if (number === null)
    return <p className={classes.note}>This is the first version, so there is no earlier version to compare.</p>
  return (
    <div className={classes.stack}>
      <Select
        label="Compare with"
        w="16rem"
        data={others.map((one) => ({
          value: String(one.version),
          label: `Version ${one.version}, ${stateWords[one.state].toLowerCase()}${one.version === activeNumber ? ', active' : ''}`,
        }))}
        value={String(number)}
        onChange={setChosen}
      />
      <Changes version={version} other={number} />
    </div>
  )
}

function Changes({ version, other }: { version: ScoringVersion; other: number }) {
  const read = useQuery(versionQuery(version.ruleSetId, other))
  if (read.data === undefined) return <NotLoaded read={read} what={`version ${other}`} lines={4} />
  const changes = contentChanges(read.data, version)
  if (changes.length === 0) return <p className={classes.note}>The rules are the same as in version {other}.</p>
  return <ChangeTable changes={changes} before={`Version ${other}`} after={`Version ${version.version}`} />
}
