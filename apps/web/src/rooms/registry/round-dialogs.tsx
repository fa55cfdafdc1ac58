import { cancelRegistryRound, confirmRegistryResult, type RegistryRound } from '@prospect/api-client'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { refreshRounds } from './registry.queries.ts'

type Props = DialogProps & { round: RegistryRound }

/** Dialog that confirms the result of a round. The API requires fresh proof, and refuses another result than the one that is shown. */
export function ConfirmRoundDialog({ round, ...dialog }: Props) {
  const { id: roundId, result } = round
  const hits = result?.counts?.hits ?? 0
  const { sha256: resultSha256, phoneRegion } = result ?? { sha256: '', phoneRegion: '' }
  return (
    <DecisionDialog
      title={hits === 0 ? 'Close the round?' : `Block ${countWords(hits, 'value', 'values')}?`}
      label={hits === 0 ? 'Close the round' : 'Block the hits'}
      tone={hits === 0 ? 'normal' : 'danger'}
      next="Each hit becomes an entry of the do-not-contact list, and every prospect that has it is marked. The round then closes with a certificate. This cannot be cancelled once it has begun."
      reason="Every entry and the certificate show it"
      missing="Enter why these values are blocked."
      draftName={`confirm-registry-${roundId}-${resultSha256}`}
      send={({ reason }, key) =>
        dataOf(
          confirmRegistryResult({ path: { roundId }, body: { resultSha256, phoneRegion, reason }, ...withKey(key) }),
        )
      }
      done="The hits are being blocked."
      refresh={refreshRounds}
      {...dialog}
    />
  )
}

/** Dialog that cancels a round. Its files are deleted. */
export function CancelRoundDialog({ round: { id: roundId }, ...dialog }: Props) {
  return (
    <DecisionDialog
      title="Cancel this round?"
      label="Cancel the round"
      tone="danger"
      next="The files of this round are deleted, and a result that arrives later is refused. Values that the round blocked stay blocked. You can then start another round."
      reason="The audit log shows it"
      missing="Enter why the round is cancelled."
      draftName={`cancel-registry-${roundId}`}
      send={({ reason }, key) => dataOf(cancelRegistryRound({ path: { roundId }, body: { reason }, ...withKey(key) }))}
      done="The round is cancelled."
      refresh={refreshRounds}
      {...dialog}
    />
  )
}
