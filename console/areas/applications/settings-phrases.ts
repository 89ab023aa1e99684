import { phrases } from '../../phrases.ts'

/** The phrases of the settings cards. */
export const settingPhrases = phrases({
  en: {
    addresses: 'URLs',
    redirectUris: 'Redirect URIs',
    redirectUrisHint:
      'One per line. After signing in, users return to one of these URLs. The URL in a request must match one of them exactly.',
    postLogoutRedirectUris: 'URLs after sign-out',
    postLogoutRedirectUrisHint: 'One per line. Users can return to these URLs after they sign out.',
    more: 'More URLs',
    corsAllowedOrigins: 'Additional origins (CORS)',
    corsAllowedOriginsHint:
      'Scripts from these origins can request tokens. The origins of the redirect URIs are always allowed.',
    initiateLoginUri: 'URL that starts a sign-in',
    initiateLoginUriHint:
      'We send users here when they can’t continue, and “Try it now” opens it. It must be an https URL.',
    backchannelLogoutUri: 'Sign-out notification URL',
    backchannelLogoutUriHint: 'We call it when a user signs out elsewhere (back-channel logout).',
    tosUri: 'Terms of use URL',
    tosUriHint: 'The consent page links to the application’s own terms. Must begin with https:.',
    policyUri: 'Privacy policy URL',
    policyUriHint: 'The consent page links to the application’s own privacy policy. Must begin with https:.',
    tokens: 'Tokens',
    tokensLead: 'Lifetimes, signing algorithm and claims',
    idTokenTtl: 'ID token lifetime (seconds)',
    ttlHint: 'Leave empty for the default. At most 1,209,600 (14 days).',
    refreshTokenTtl: 'Refresh token lifetime without use (seconds)',
    refreshTokenTtlHint:
      'Users who don’t open the application for this long have to sign in again. Leave empty for the default and maximum: 1,209,600 (14 days).',
    refreshTokenMaxTtl: 'Longest time without a new sign-in (seconds)',
    maxTtlHint:
      'Refresh tokens are renewed with use until this much time has passed since the sign-in. Leave empty for 7,776,000 (90 days). At most 31,536,000 (365 days).',
    maxTtlHintBrowser:
      'Refresh tokens are renewed with use until this much time has passed since the sign-in. In a browser, that is at most 1,209,600 (14 days), which is also the default.',
    maxTtlHintRegistered:
      'Refresh tokens are renewed with use until this much time has passed since the sign-in. This application registered itself, so the default is 1,209,600 (14 days). At most 31,536,000 (365 days).',
    idTokenSignedResponseAlg: 'ID token signing algorithm',
    idTokenClaims: 'Claims in ID tokens',
    idTokenClaimsHint:
      'With fewer claims, less personal data ends up in logs that contain tokens. The userinfo endpoint always returns all of them.',
    claims_all: 'All claims for the granted scopes',
    claims_minimal: 'Only claims that the request asks for by name',
    securityLead: 'User consent, bound tokens, FAPI 2.0, devices',
    machineSecurityLead: 'Bound tokens, FAPI 2.0',
    isThirdParty: 'Third-party application',
    isThirdPartyHint:
      'We ask users for their consent before the application gets their data. Tokens that we issued without consent stop working.',
    deviceFlow: 'Sign users in on devices without a browser',
    deviceFlowHint: 'The device shows a code, and users enter it on their phone.',
    dpopBoundAccessTokens: 'Bind tokens to a key (DPoP)',
    dpopBoundAccessTokensHint: 'Makes stolen tokens useless. The application’s library must support this.',
    fapi2: 'Complies with FAPI 2.0',
    fapi2Hint: 'The profile that banks use: pushed requests, keys instead of a secret, bound tokens.',
    backchannelLogoutSessionRequired: 'Include the session in sign-out notifications',
    backchannelLogoutSessionRequiredHint: 'The notification then names the session that has ended (sid).',
    authentication: 'Authentication',
    authenticationLead: 'With a secret, or with the application’s own keys',
    way: 'Authentication method',
    secret: 'Client secret',
    secretHint: 'Sent with every token request.',
    value: 'Keys that you enter here',
    valueHint: 'The application signs assertions with a private key that it never shares (private_key_jwt).',
    address: 'Keys at a URL',
    addressHint: 'The application publishes its public keys and can change them without your help.',
    jwks: 'Public keys (JWK Set)',
    jwksHint: 'A JSON object with a “keys” list. Enter only public keys; we reject private ones.',
    jwksUri: 'JWKS URL',
    notKeys: 'This isn’t a JSON object with a “keys” list.',
    allowedBuiltInResources: 'API access',
    accessLead: 'The APIs that this application can get tokens for',
    all: 'Every API in this tenant',
    allHint: 'If this is off, the application can only get tokens for the APIs that you list.',
    allowedResources: 'APIs',
    allowedResourcesHint:
      'API identifiers, one per line. Roles determine which permissions the tokens contain.',
    'urn:vestibule:management-api': 'Management API, on behalf of administrators',
    'urn:vestibule:services': 'Services, on behalf of users',
    builtInHint:
      'Users must have signed in within the last hour. Not available to third-party applications. Only owners can change this.',
    exchange: 'Act for users (token exchange)',
    exchangeLead:
      'Let this application exchange users’ tokens from other applications for tokens of its own (RFC 8693).',
    organizationMode: 'Organizations',
    tokenExchangeClients: 'Applications whose tokens can be exchanged',
    tokenExchangeClientsHint: 'Client IDs, one per line.',
    tokenExchangeResources: 'Allowed APIs for the new tokens',
    tokenExchangeResourcesHint: 'API identifiers, one per line.',
    tokenExchangeScopes: 'Allowed scopes for the new tokens',
    tokenExchangeScopesHint: 'One per line. Leave empty for all scopes that the user has.',
  },
  de: {
    addresses: 'Adressen',
    redirectUris: 'Redirect-URIs',
    redirectUrisHint:
      'Eine pro Zeile. Nach der Anmeldung kehren Benutzer zu einer dieser URLs zurück. Die URL in einer Anfrage muss genau mit einer davon übereinstimmen.',
    postLogoutRedirectUris: 'Adressen nach dem Abmelden',
    postLogoutRedirectUrisHint:
      'Eine pro Zeile. Zu diesen Adressen können Benutzer nach dem Abmelden zurückkehren.',
    more: 'Weitere Adressen',
    corsAllowedOrigins: 'Weitere Origins (CORS)',
    corsAllowedOriginsHint:
      'Skripte dieser Origins dürfen Tokens anfordern. Die Origins der Redirect-URIs brauchen keinen Eintrag.',
    initiateLoginUri: 'URL, die eine Anmeldung beginnt',
    initiateLoginUriHint:
      'Dorthin gelangen Benutzer, die nicht weiterkommen, und „Jetzt ausprobieren“ öffnet sie. Es muss eine https-URL sein.',
    backchannelLogoutUri: 'URL, die von Abmeldungen erfährt',
    backchannelLogoutUriHint:
      'Wird vom Server aufgerufen, wenn sich ein Benutzer anderswo abmeldet (Back-Channel-Logout).',
    tosUri: 'Adresse der Nutzungsbedingungen',
    tosUriHint:
      'Die Einwilligungsseite verlinkt die eigenen Bedingungen der Anwendung. Muss mit https: beginnen.',
    policyUri: 'Adresse der Datenschutzerklärung',
    policyUriHint:
      'Die Einwilligungsseite verlinkt die eigene Datenschutzerklärung der Anwendung. Muss mit https: beginnen.',
    tokens: 'Tokens',
    tokensLead: 'Gültigkeit, Signaturalgorithmus und Claims',
    idTokenTtl: 'Gültigkeit von ID-Tokens (Sekunden)',
    ttlHint: 'Leer lassen für den Standardwert. Höchstens 1.209.600 (14 Tage).',
    refreshTokenTtl: 'Gültigkeit von Refresh-Tokens ohne Nutzung (Sekunden)',
    refreshTokenTtlHint:
      'Benutzer, die die Anwendung so lange nicht öffnen, müssen sich neu anmelden. Leer lassen für den Standard- und Höchstwert: 1.209.600 (14 Tage).',
    refreshTokenMaxTtl: 'Längste Zeit ohne neue Anmeldung (Sekunden)',
    maxTtlHint:
      'Refresh-Tokens werden bei Nutzung erneuert, bis seit der Anmeldung so viel Zeit vergangen ist. Leer lassen für 7.776.000 (90 Tage). Höchstens 31.536.000 (365 Tage).',
    maxTtlHintBrowser:
      'Refresh-Tokens werden bei Nutzung erneuert, bis seit der Anmeldung so viel Zeit vergangen ist. Im Browser sind das höchstens 1.209.600 (14 Tage), was auch der Standardwert ist.',
    maxTtlHintRegistered:
      'Refresh-Tokens werden bei Nutzung erneuert, bis seit der Anmeldung so viel Zeit vergangen ist. Diese Anwendung hat sich selbst registriert, daher ist der Standardwert 1.209.600 (14 Tage). Höchstens 31.536.000 (365 Tage).',
    idTokenSignedResponseAlg: 'Signaturalgorithmus von ID-Tokens',
    idTokenClaims: 'Claims in ID-Tokens',
    idTokenClaimsHint:
      'Weniger Claims halten persönliche Daten aus Tokens heraus, die protokolliert werden. Userinfo hat immer alle.',
    claims_all: 'Alle Claims der gewährten Scopes',
    claims_minimal: 'Nur Claims, die eine Anfrage nennt',
    securityLead: 'Einwilligung der Benutzer, gebundene Tokens, FAPI 2.0, Geräte',
    machineSecurityLead: 'Gebundene Tokens, FAPI 2.0',
    isThirdParty: 'Anwendung eines Dritten',
    isThirdPartyHint:
      'Benutzer werden um ihre Einwilligung gebeten, bevor die Anwendung ihre Daten erhält. Tokens, die ohne Einwilligung ausgestellt wurden, enden.',
    deviceFlow: 'Meldet Benutzer auf Geräten ohne Browser an',
    deviceFlowHint: 'Das Gerät zeigt einen Code, den Benutzer am Telefon eingeben.',
    dpopBoundAccessTokens: 'Tokens an einen Schlüssel binden (DPoP)',
    dpopBoundAccessTokensHint:
      'Ein gestohlenes Token ist wertlos. Die Bibliothek der Anwendung muss das unterstützen.',
    fapi2: 'Hält FAPI 2.0 ein',
    fapi2Hint:
      'Das Profil für Banken: vorab übermittelte Anfragen, Schlüssel statt Secret, gebundene Tokens.',
    backchannelLogoutSessionRequired: 'Sitzung in Abmeldungen nennen',
    backchannelLogoutSessionRequiredHint: 'Die Anwendung erfährt, welche Sitzung beendet ist (sid).',
    authentication: 'Authentifizierung',
    authenticationLead: 'Mit einem Secret oder mit eigenen Schlüsseln der Anwendung',
    way: 'Authentifizierungsmethode',
    secret: 'Client-Secret',
    secretHint: 'Es wird mit jeder Token-Anfrage gesendet.',
    value: 'Schlüssel, die Sie hier eingeben',
    valueHint:
      'Die Anwendung signiert Assertions mit ihrem privaten Schlüssel, den sie nie weitergibt (private_key_jwt).',
    address: 'Schlüssel unter einer URL',
    addressHint: 'Die Anwendung veröffentlicht ihre öffentlichen Schlüssel und wechselt sie ohne Ihr Zutun.',
    jwks: 'Öffentliche Schlüssel (JWK Set)',
    jwksHint: 'JSON mit „keys“. Nur öffentliche Schlüssel: Private werden abgelehnt.',
    jwksUri: 'JWKS-URL',
    notKeys: 'Das ist kein JSON mit einer Liste „keys“.',
    allowedBuiltInResources: 'API-Zugriff',
    accessLead: 'Die APIs, für die diese Anwendung Tokens erhält',
    all: 'Jede API dieses Mandanten',
    allHint: 'Andernfalls erhält die Anwendung nur Tokens für die APIs, die Sie auflisten.',
    allowedResources: 'APIs',
    allowedResourcesHint:
      'API-Bezeichner, einer pro Zeile. Rollen entscheiden, welche Berechtigungen die Tokens enthalten.',
    'urn:vestibule:management-api': 'Management-API, im Namen von Administratoren',
    'urn:vestibule:services': 'Dienste, im Namen von Benutzern',
    builtInHint:
      'Benutzer müssen sich innerhalb der letzten Stunde angemeldet haben. Nicht für Anwendungen von Dritten. Nur Inhaber können es ändern.',
    organizationMode: 'Organisationen',
    exchange: 'Für Benutzer handeln (Token Exchange)',
    exchangeLead:
      'Diese Anwendung darf Tokens der Benutzer aus anderen Anwendungen gegen eigene tauschen (RFC 8693).',
    tokenExchangeClients: 'Anwendungen, deren Tokens getauscht werden dürfen',
    tokenExchangeClientsHint: 'Client-IDs, eine pro Zeile.',
    tokenExchangeResources: 'Erlaubte APIs für die neuen Tokens',
    tokenExchangeResourcesHint: 'API-Bezeichner, einer pro Zeile.',
    tokenExchangeScopes: 'Erlaubte Scopes für die neuen Tokens',
    tokenExchangeScopesHint: 'Einer pro Zeile. Leer lassen für alle Scopes, die der Benutzer hat.',
  },
})
