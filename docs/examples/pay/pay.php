<?php
// Charges by PIX, then asks how the transaction is doing. PHP 8 without extensions; in the environment:
// COFRE_API (http://127.0.0.1:8081), COFRE_STORE_ID, COFRE_SECRET.
declare(strict_types=1);

/** Signs and sends; returns the answer's JSON. A refusal ends the program, which says why. */
function call(string $version, string $target, string $body = '', string $idempotencyKey = ''): array
{
    $digest = $body === '' ? '' : base64_encode(md5($body));
    $signature = hash_hmac('sha256', $target . $digest, getenv('COFRE_SECRET'));
    $headers = [
        'Authorization: ' . getenv('COFRE_STORE_ID') . ':' . $signature,
        "Accept: application/vnd.cofre.$version+json; charset=UTF-8",
        'Accept-Language: en', // of error messages; without it they are in Portuguese
        'Content-Type: application/json',
    ];
    if ($idempotencyKey !== '') {
        $headers[] = "Idempotency-Key: $idempotencyKey";
    }
    $context = stream_context_create(['http' => [
        'method' => $body === '' ? 'GET' : 'POST',
        'header' => implode("\r\n", $headers),
        'content' => $body,
        'timeout' => 30,
        'ignore_errors' => true,
    ]]);
    $text = file_get_contents(getenv('COFRE_API') . $target, false, $context);
    $status = (int) explode(' ', $http_response_header[0])[1];
    $json = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    if ($status < 300) {
        return $json;
    }
    foreach ($json['errors'] as $error) {
        fwrite(STDERR, "{$error['code']} {$error['message']}\n");
    }
    exit(1);
}

$reference = 'order-' . uniqid();
$order = str_replace('REFERENCE', $reference, file_get_contents(__DIR__ . '/order.json'));

$transaction = call('v2', '/transactions', $order, $reference)['transaction'];
echo $transaction['status'], ' ', $transaction['code'], ' ', $transaction['payment-code'], "\n";

$found = call('v1', '/transactions/' . $transaction['code']);
echo $found['transaction-result']['transactions'][0]['status'], "\n";
