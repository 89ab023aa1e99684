/**
 * The media types that the provider's answers have, in the form of the package `mime-db`, which wrangler.toml puts this in
 * place of: Koa asks it what `html` or `json` means, and the whole list is 40 kB of the Worker.
 */
module.exports = {
  'application/json': { source: 'iana', charset: 'UTF-8', compressible: true, extensions: ['json'] },
  'application/jwt': { source: 'iana', extensions: ['jwt'] },
  'application/octet-stream': { source: 'iana', extensions: ['bin'] },
  'application/x-www-form-urlencoded': { source: 'iana', compressible: true, extensions: ['urlencoded'] },
  'multipart/form-data': { source: 'iana', extensions: ['multipart'] },
  'text/html': { source: 'iana', compressible: true, extensions: ['html', 'htm'] },
  'text/plain': { source: 'iana', compressible: true, extensions: ['txt', 'text'] },
}
