import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { addSourceFileSchema, sourceFilePageSchema, sourceFileQuery, sourceFileSchema } from './files.schema.ts'
import { addSourceFile, getSourceFile, listSourceFiles } from './source-files.ts'

export const fileRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'sources' })

  route.read({
    url: '/source-files',
    id: 'listSourceFiles',
    summary: 'List the files that are recorded as sources, newest first',
    permission: 'sources.read',
    query: sourceFileQuery,
    response: sourceFilePageSchema,
    answer: ({ actor, query }) => listSourceFiles(store, cursors, actor.tenantId, query),
  })

  route.change({
    url: '/source-files',
    id: 'addSourceFile',
    summary: 'Record a file as a source: its name, hash, owner, purpose and legal basis; its content is not sent',
    permission: 'sources.record',
    action: 'source_file.add',
    body: addSourceFileSchema,
    response: sourceFileSchema,
    status: 201,
    work: (tx, { body }) => addSourceFile(tx, body),
    answer: ({ id }, { actor }) => getSourceFile(store.reader, actor.tenantId, id),
  })
}
