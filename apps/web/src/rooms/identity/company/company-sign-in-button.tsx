import { Button } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { companySignInQuery } from '../accounts.queries.ts'
import { goAndSignIn } from './company-sign-in.ts'

/** Leaves for the company's provider. Shown only if the server is connected to one. */
export function CompanySignInButton({ next }: { next: string | undefined }) {
  const company = useQuery(companySignInQuery)
  const leaving = useMutation({ meta: { isTold: true }, mutationFn: () => goAndSignIn(next ?? '/') })
  if (!company.data || company.data.name === null) return null
  return (
    <>
      <Button
        variant="default"
        size="sm"
        fullWidth
        loading={leaving.isPending}
        leftSection={<IconBuilding size={17} stroke={1.7} aria-hidden />}
        onClick={() => leaving.mutate()}
      >
        Sign in with {company.data.name}
      </Button>
      {leaving.isError && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(leaving.error)}
        </p>
      )}
    </>
  )
}
