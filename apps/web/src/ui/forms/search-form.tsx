import type { ReactNode } from 'react'

type Props = { onSearch: () => void; className?: string | undefined; children: ReactNode }

/** Search form that runs on Enter or with its button. Forms that save something use `SaveForm`. */
export function SearchForm({ onSearch, className, children }: Props) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        onSearch()
      }}
    >
      {children}
    </form>
  )
}
