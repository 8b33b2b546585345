<?php

// Charges by PIX, then asks for the transaction's status. In the environment: COFRE_API (http://127.0.0.1:8081),
// COFRE_STORE_ID, COFRE_SECRET.
declare(strict_types=1);

use Cofre\Merchant\Connection;
use Cofre\Merchant\MerchantClient;
use Cofre\Merchant\OutcomeUnknown;
use Cofre\Merchant\Request\CartItem;
use Cofre\Merchant\Request\Charge;
use Cofre\Merchant\Request\CreateTransaction;
use Cofre\Merchant\Request\Document;
use Cofre\Merchant\Request\ItemType;
use Cofre\Merchant\Request\Payer;

require 'vendor/autoload.php';

$connection = new Connection(
    baseUrl: getenv('COFRE_API'),
    storeId: getenv('COFRE_STORE_ID'),
    secret: getenv('COFRE_SECRET'),
    language: 'en', // language of the error messages; default: Portuguese
);
$cofre = new MerchantClient($connection);

$order = new CreateTransaction(
    reference: 'order-' . bin2hex(random_bytes(8)),
    notificationUrl: 'https://shop.example/notifications',
    charge: Charge::pix('42.50'),
    payer: new Payer(
        name: 'Maria da Silva',
        email: 'maria@example.com',
        document: Document::cpf('52998224725'),
        birthDate: '1990-01-31',
        phoneNumber: '+5541988887777',
        ip: '203.0.113.7',
    ),
    cart: [new CartItem('Café', '42.50', ItemType::Digital)],
);
try {
    $created = $cofre->createTransaction($order);
} catch (OutcomeUnknown $unknown) {
    // It may exist: never start over under a new reference. Ask again with the same key, now or later.
    $created = $cofre->createTransaction($order, $unknown->idempotencyKey);
}
echo $created->status, ' ', $created->paymentCode, "\n";
echo $cofre->findTransaction($created->code)->status, "\n";
