/** Whether a request sends a form without files: only the page of the picture takes `multipart/form-data`. */
export const isForm = ({ headers }: Pick<Request, 'headers'>): boolean =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers.get('content-type') ?? '')

/** Not with `text()`: workerd takes this content type for binary data, and warns of it in the log. */
export const readForm = async (request: Pick<Request, 'arrayBuffer'>): Promise<URLSearchParams> =>
  new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()))
