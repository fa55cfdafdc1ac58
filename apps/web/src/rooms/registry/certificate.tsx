import { Button, Text } from '@mantine/core'
import type { RegistryCertificate } from '@prospect/api-client'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { saveFile } from '../../ui/api/save-file.ts'
import { By, Fact, Facts } from '../../ui/layout/facts.tsx'
import { PageHead } from '../../ui/layout/page.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatDay, formatNumber } from '../../ui/text/format.ts'
import { GivenReason } from '../../ui/text/given-reason.tsx'
import { Name } from '../../ui/text/name.tsx'
import classes from './registry.module.css'
import { certificateQuery } from './registry.queries.ts'
import { formWords, scopeWords } from './registry-words.ts'

/** The signed certificate of a closed round, to print and as JSON. It contains everything that the round shows. */
export function Certificate({ roundId }: { roundId: string }) {
  const certificate = useQuery(certificateQuery(roundId))
  return (
    <RecordBody record={certificate} what="the certificate" lines={14}>
      {(loaded) => <Certified certificate={loaded} />}
    </RecordBody>
  )
}

function Certified({ certificate }: { certificate: RegistryCertificate }) {
  const { statement, publicKey, signature } = certificate
  const { workspace, registration, round, file, result, confirmation, outcome, audit } = statement
  const save = () => {
    const text = `${JSON.stringify(certificate, null, 2)}\n`
    saveFile(`registry-certificate-${round.id}.json`, new Blob([text], { type: 'application/json' }))
  }
  return (
    <>
      <PageHead
        title="Certificate of a registry round"
        lead="It states what this service recorded. It does not prove that the registry wrote the result."
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconPrinter size={15} aria-hidden />}
              onClick={() => window.print()}
            >
              Print
            </Button>
            <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />} onClick={save}>
              Save as JSON
            </Button>
          </>
        }
      />
      <Facts>
        <Fact label="Workspace">
          <Name of={workspace.name} />
        </Fact>
        <Fact label="Registration">{registration === null ? 'None was entered' : registrationWords(registration)}</Fact>
        <Fact label="Round">{round.id}</Fact>
        <Fact label="Compared">
          {scopeWords(round)}. {formWords[round.form]}
        </Fact>
        <Fact label="Started by">
          <By person={round.startedBy} at={round.startedAt} />
        </Fact>
        <Fact label="Closed">
          <DateTime at={round.closedAt} as="dateTime" />
        </Fact>
        <Fact label="File">
          {countWords(file.values, 'value', 'values')}, {formatNumber(file.leftOut)} left out because they were blocked.
          SHA-256 <code className={classes.hash}>{file.sha256}</code>
        </Fact>
        <Fact label="Result">
          {countWords(result.counts.lines, 'line', 'lines')}: {countWords(result.counts.hits, 'hit', 'hits')},{' '}
          {formatNumber(result.counts.alreadyBlocked)} blocked already, {formatNumber(result.counts.unknown)} unknown,{' '}
          {formatNumber(result.counts.unreadable)} unreadable. SHA-256{' '}
          <code className={classes.hash}>{result.sha256}</code>
        </Fact>
        <Fact label="Uploaded by">
          <By person={result.receivedBy} at={result.receivedAt} />
        </Fact>
        <Fact label="Confirmed by">
          <By person={confirmation.by} at={confirmation.at} />: <GivenReason of={confirmation.reason} />
        </Fact>
        <Fact label="Blocked">
          {countWords(outcome.added, 'value', 'values')} now, {formatNumber(outcome.alreadyBlocked)} meanwhile;{' '}
          {countWords(outcome.marked, 'prospect', 'prospects')} marked
        </Fact>
        <Fact label="In the audit log">
          Number {formatNumber(audit.sequence)}, <code className={classes.hash}>{audit.hash}</code>
        </Fact>
        <Fact label="Newest checkpoint">
          {audit.checkpoint === null ? (
            'None was signed yet'
          ) : (
            <>
              Number {formatNumber(audit.checkpoint.number)} up to event {formatNumber(audit.checkpoint.sequence)},{' '}
              <DateTime at={audit.checkpoint.signedAt} as="dateTime" />
              {audit.checkpoint.sequence < audit.sequence && '. It does not cover the end of this round yet'}
            </>
          )}
        </Fact>
        <Fact label="Issued">
          <DateTime at={statement.issuedAt} as="dateTime" />
        </Fact>
        <Fact label="Signature">
          Ed25519 <code className={classes.hash}>{signature}</code>
        </Fact>
        <Fact label="Public key">
          <code className={classes.hash}>{publicKey}</code>
        </Fact>
      </Facts>
      <Text size="sm" c="dimmed">
        The JSON verifies without this service. Compare the public key with the one that you know from elsewhere.
      </Text>
    </>
  )
}

function registrationWords({
  number,
  validUntil,
}: NonNullable<RegistryCertificate['statement']['registration']>): string {
  return validUntil === null ? number : `${number}, valid until ${formatDay(validUntil)}`
}
