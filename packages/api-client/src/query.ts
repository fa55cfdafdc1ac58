/** Options and keys of TanStack Query for each operation. A program that uses them must install `@tanstack/react-query`. */
export * from './generated/queries.gen.ts'
