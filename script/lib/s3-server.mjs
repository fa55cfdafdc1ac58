/* An S3-compatible server on loopback with the bucket `backups`, for tests of copies off the host: node s3-server.mjs PORT FOLDER. */
import S3rver from '@20minutes/s3rver'

const [, , port, directory] = process.argv
await new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  directory,
  silent: true,
  configureBuckets: [{ name: 'backups' }],
}).run()
