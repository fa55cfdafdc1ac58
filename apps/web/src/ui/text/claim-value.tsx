import type { Fact } from '@prospect/api-client'
import { agreementWords } from './agreement-words.ts'
import { Name } from './name.tsx'

type Props = { claim: Pick<Fact['evidence'][number], 'value' | 'agreement' | 'agreementReason'>; value: string }

/** The value of a claim beside the value of the record. A claim in another spelling is shown as it is written, with how it agrees. */
export function ClaimValue({ claim, value }: Props) {
  if (claim.value === value) return 'Agrees'
  const says = (
    <>
      Says <Name of={claim.value} />
    </>
  )
  return (
    <>
      {claim.agreement === 'different' ? <b>{says}</b> : says} ({agreementWords(claim)})
    </>
  )
}
