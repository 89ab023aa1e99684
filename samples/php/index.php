<?php
require __DIR__ . '/vendor/autoload.php';

use Jumbojett\{OpenIDConnectClient, OpenIDConnectClientException};

$redirectUri = 'http://localhost:3000/callback';
$isHttps = str_starts_with($redirectUri, 'https:');
session_set_cookie_params(['secure' => $isHttps, 'httponly' => true, 'samesite' => 'Lax']);
session_start();
$vestibule = new class(
    'https://id.example.com/oidc',
    'my-client-id',
    getenv('CLIENT_SECRET'),
) extends OpenIDConnectClient {
    protected function fetchURL(string $url, ?string $post_body = null, array $headers = []) // only: api
    { // only: api
        if ($post_body !== null) $post_body .= '&resource=' . urlencode('https://api.example.com'); // only: api
        return parent::fetchURL($url, $post_body, $headers); // only: api
    } // only: api
};
$vestibule->setHttpUpgradeInsecureRequests(false); // only: http
$vestibule->setRedirectURL($redirectUri);
$vestibule->setCodeChallengeMethod('S256');
$vestibule->addScope(['openid', 'profile']);
$vestibule->addScope(['offline_access', 'orders:read']); // only: api
$vestibule->addAuthParam(['resource' => 'https://api.example.com']); // only: api

switch (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    case '/sign-in':
    case '/callback':
        try {
            $vestibule->authenticate(); // redirects first, and returns at the callback
        } catch (OpenIDConnectClientException $error) {
            exit(htmlspecialchars($error->getMessage()) . ' <a href="/sign-in">Sign in again</a>');
        }
        session_regenerate_id(true);
        $user = $vestibule->getVerifiedClaims();
        $_SESSION['name'] = $user->preferred_username ?? $user->name ?? $user->sub;
        $_SESSION['idToken'] = $vestibule->getIdToken();
        $_SESSION['tokens'] = $vestibule->getTokenResponse(); // only: api
        $_SESSION['expires'] = time() + $_SESSION['tokens']->expires_in; // only: api
        header('Location: /');
        exit;
    case '/orders': // only: api
        if (!isset($_SESSION['tokens'])) break; // only: api
        if ($_SESSION['expires'] < time() + 30) { // only: api
            $_SESSION['tokens'] = $vestibule->refreshToken($_SESSION['tokens']->refresh_token); // only: api
            $_SESSION['expires'] = time() + $_SESSION['tokens']->expires_in; // only: api
        } // only: api
        $header = "Authorization: Bearer {$_SESSION['tokens']->access_token}"; // only: api
        $context = stream_context_create(['http' => ['header' => $header]]); // only: api
        exit(file_get_contents('https://api.example.com/orders', false, $context)); // only: api
    case '/sign-out':
        $returnTo = null;
        $returnTo = 'http://localhost:3000/'; // only: signout
        $idToken = $_SESSION['idToken'] ?? '';
        session_destroy();
        $vestibule->signOut($idToken, $returnTo);
}
?>
<?php if (isset($_SESSION['name'])): ?>
  <p>Signed in as <?= htmlspecialchars($_SESSION['name']) ?></p>
  <p><a href="/orders">Orders</a></p> <!-- only: api -->
  <p><a href="/sign-out">Sign out</a></p>
<?php else: ?><a href="/sign-in">Sign in</a><?php endif ?>
