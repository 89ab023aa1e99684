/**
 * Returns a name that a user chose in a form that no email client turns into a link: an invisible word joiner follows
 * each dot, colon, slash and at sign that precedes another character. Otherwise, an organisation with the name of a
 * website could be used to send links to strangers (spec/organisations#invitations).
 */
export const toPlainName = (name: string): string => name.replace(/([.:/@])(?=\S)/g, '$1\u2060')
