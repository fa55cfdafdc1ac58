import type { MatchSuggestion } from '@prospect/api-client'
import { IconEqual, IconEyeSearch } from '@tabler/icons-react'
import classes from './matching.module.css'
import { bandWords } from './matching-words.ts'

/** Band of a suggestion with its icon, readable without colour. */
export function BandMark({ band }: { band: MatchSuggestion['band'] }) {
  const Icon = band === 'strong' ? IconEqual : IconEyeSearch
  return (
    <span className={classes.band} data-band={band}>
      <Icon size={14} stroke={2} aria-hidden />
      {bandWords[band]}
    </span>
  )
}
