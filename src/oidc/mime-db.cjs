/**
 * The media types of the provider's responses, in the format of the package `mime-db`, which wrangler.toml replaces
 * with this file. Koa looks up `html` and `json` there; the whole list is 290 kB of source.
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
