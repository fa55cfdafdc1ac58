import type { ReactNode } from 'react'

/** A search that runs on Enter or by its button. It saves nothing: other forms are a `SaveForm`. */
export function SearchForm({ onSearch, children }: { onSearch: () => void; children: ReactNode }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSearch()
      }}
    >
      {children}
    </form>
  )
}
