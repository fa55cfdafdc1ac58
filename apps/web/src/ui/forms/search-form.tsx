import type { ReactNode } from 'react'

type Props = { onSearch: () => void; className?: string | undefined; children: ReactNode }

/** A search that runs on Enter or by its button. It saves nothing: other forms are a `SaveForm`. */
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
